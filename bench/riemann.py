"""Gas along one direction without any of galerna's code: the exact Riemann solution, and second-order finite volumes for flows that have none. Pure Python."""
import math


class Riemann:
    """Between two states (density, velocity, pressure): E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 2009, chapter 4."""

    def __init__(self, left, right, gamma):
        self.left, self.right, self.gamma = left, right, gamma
        self.c = [math.sqrt(gamma * p / rho) for rho, _, p in (left, right)]
        low, high = 0.0, max(left[2], right[2])
        while self._step(high) < 0:
            high *= 4
        for _ in range(400):  # pressures may be many decades apart
            middle = math.sqrt(low * high) if low > 0 else high * 1e-3
            if self._step(middle) < 0:
                low = middle
            else:
                high = middle
            if low > 0 and high - low < 1e-15 * high:
                break
            if high < 1e-300:
                break
        self.p = high
        self.u = 0.5 * (left[1] + right[1] + self._branch(high, 1) - self._branch(high, 0))

    def _branch(self, p, side):
        rho, _, own = (self.left, self.right)[side]
        g = self.gamma
        if p > own:
            return (p - own) * math.sqrt(2 / ((g + 1) * rho) / (p + (g - 1) / (g + 1) * own))
        return 2 * self.c[side] / (g - 1) * ((p / own) ** ((g - 1) / (2 * g)) - 1)

    def _step(self, p):
        return self._branch(p, 0) + self._branch(p, 1) + self.right[1] - self.left[1]

    def middle_density(self, side):
        """Between the contact and the wave of a side."""
        rho, _, own = (self.left, self.right)[side]
        g, ratio = self.gamma, self.p / own
        k = (g - 1) / (g + 1)
        return rho * (ratio + k) / (k * ratio + 1) if ratio > 1 else rho * ratio ** (1 / g)

    def speeds(self, side):
        """Of the head and the tail of a side's wave; the same for a shock."""
        sign = (-1, 1)[side]
        _, u, own = (self.left, self.right)[side]
        g, c = self.gamma, self.c[side]
        if self.p > own:
            shock = u + sign * c * math.sqrt((g + 1) / (2 * g) * self.p / own + (g - 1) / (2 * g))
            return shock, shock
        return u + sign * c, self.u + sign * c * (self.p / own) ** ((g - 1) / (2 * g))

    def density(self, s):
        """At x/t = s."""
        side = 0 if s < self.u else 1
        sign = (-1, 1)[side]
        rho, u, own = (self.left, self.right)[side]
        head, tail = self.speeds(side)
        if sign * (s - head) >= 0:
            return rho
        if sign * (s - tail) <= 0:
            return self.middle_density(side)
        g = self.gamma
        return rho * (2 / (g + 1) + sign * (g - 1) / (g + 1) / self.c[side] * (s - u)) ** (2 / (g - 1))


def _hllc(a, b, gamma):
    """Flux between two states (density, velocity, pressure), with the wave speeds of Davis."""
    (ra, ua, pa), (rb, ub, pb) = a, b
    ca, cb = math.sqrt(gamma * pa / ra), math.sqrt(gamma * pb / rb)
    slow, fast = min(ua - ca, ub - cb), max(ua + ca, ub + cb)
    da, db = ra * (slow - ua), rb * (fast - ub)
    middle = (pb - pa + da * ua - db * ub) / (da - db)
    r, u, p, outer, d = (ra, ua, pa, slow, da) if middle > 0 else (rb, ub, pb, fast, db)
    energy = p / (gamma - 1) + 0.5 * r * u * u
    flux = [r * u, r * u * u + p, (energy + p) * u]
    if (outer < 0) == (middle > 0):
        rho = d / (outer - middle)
        star = rho, rho * middle, rho * (energy / r + (middle - u) * (middle + p / d))
        flux = [f + outer * (s - c) for f, s, c in zip(flux, star, (r, r * u, energy))]
    return flux


def finite_volumes(initial, edges, cells, end, gamma, walls):
    """Densities [cell] of a flow that begins as initial(x) = (density, velocity, pressure): MUSCL-Hancock with van Leer's slopes (Toro 2009, 14.4), HLLC.
    Beyond the edges gas mirrors itself (walls), or goes on."""
    h = (edges[1] - edges[0]) / cells
    w = [initial(edges[0] + (k + 0.5) * h) for k in range(cells)]
    t = 0.0
    while t < end:
        dt = min(0.45 * h / max(abs(u) + math.sqrt(gamma * p / rho) for rho, u, p in w), end - t)
        sign = -1 if walls else 1
        padded = [(r, sign * u, p) for r, u, p in (w[1], w[0])] + w + [(r, sign * u, p) for r, u, p in (w[-1], w[-2])]
        if not walls:
            padded[:2] = [initial(edges[0] - 1.5 * h), initial(edges[0] - 0.5 * h)]
            padded[-2:] = [initial(edges[1] + 0.5 * h), initial(edges[1] + 1.5 * h)]
        ends = []
        for k in range(1, cells + 3):
            middle = padded[k]
            slope = [2 * a * b / (a + b) if a * b > 0 else 0.0
                     for a, b in ((middle[v] - padded[k - 1][v], padded[k + 1][v] - middle[v]) for v in range(3))]
            r, u, p = middle
            moved = [r - dt / (2 * h) * (u * slope[0] + r * slope[1]), u - dt / (2 * h) * (u * slope[1] + slope[2] / r),
                     p - dt / (2 * h) * (u * slope[2] + gamma * p * slope[1])]
            pair = [[m - 0.5 * s for m, s in zip(moved, slope)], [m + 0.5 * s for m, s in zip(moved, slope)]]
            ends.append(pair if min(pair[0][0], pair[0][2], pair[1][0], pair[1][2]) > 0 else [middle, middle])
        flux = [_hllc(ends[k][1], ends[k + 1][0], gamma) for k in range(cells + 1)]
        for k, (r, u, p) in enumerate(w):
            state = [c - dt / h * (b - a) for c, a, b in zip((r, r * u, p / (gamma - 1) + 0.5 * r * u * u), flux[k], flux[k + 1])]
            w[k] = (state[0], state[1] / state[0], (gamma - 1) * (state[2] - 0.5 * state[1] ** 2 / state[0]))
        t += dt
    return [r for r, _, _ in w]

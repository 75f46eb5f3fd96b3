# Installation follows once the rooms are furnished.

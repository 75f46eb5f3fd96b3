"""Reads the numbers of a checkpoint through the HDF5 library that galerna itself needs."""
import array
import ctypes
import ctypes.util
import functools

Hid = ctypes.c_int64
Size = ctypes.c_size_t
Index = ctypes.c_uint64
BY_NAME, INCREASING, DEFAULT = 0, 0, Hid(0)  # H5_index_t, H5_iter_order_t, H5P_DEFAULT
NUMBER_CLASS = 1  # H5T_FLOAT
DATASET = 5  # H5I_DATASET


@functools.cache
def library():
    name = ctypes.util.find_library("hdf5_serial") or ctypes.util.find_library("hdf5")
    if not name:
        raise SystemExit("The HDF5 library is not here: scripts/install-dependencies.sh installs it.")
    hdf5 = ctypes.CDLL(name)
    for function in ("H5Fopen", "H5Oopen", "H5Dget_space", "H5Dget_type", "H5Aopen_by_idx", "H5Aget_space", "H5Aget_type",
                     "H5Sget_simple_extent_npoints"):
        getattr(hdf5, function).restype = Hid
    hdf5.H5Tget_size.restype = Size
    hdf5.H5open()
    return hdf5


def values(kind, space, read):
    """An array of doubles, or of bytes for everything else. `read` takes the type in memory, that of the file, and a buffer."""
    hdf5 = library()
    kind, code = Hid(kind), "d" if hdf5.H5Tget_class(Hid(kind)) == NUMBER_CLASS else "B"
    size = hdf5.H5Sget_simple_extent_npoints(Hid(space)) * hdf5.H5Tget_size(kind)
    found = array.array(code, bytes(size))
    if size and read(kind, (ctypes.c_char * size).from_buffer(found)) < 0:
        raise ValueError("unreadable values")
    return found


def names(get, item):
    """What get(item, ".", index, order, number, buffer, size, properties) names for the numbers 0, 1, …"""
    buffer = ctypes.create_string_buffer(256)
    number = 0
    while get(item, b".", BY_NAME, INCREASING, Index(number), buffer, Size(256), DEFAULT) >= 0:
        yield buffer.value
        number += 1


def collect(item, path, found):
    hdf5 = library()
    for number, name in enumerate(names(hdf5.H5Aget_name_by_idx, item)):
        attribute = Hid(hdf5.H5Aopen_by_idx(item, b".", BY_NAME, INCREASING, Index(number), DEFAULT, DEFAULT))
        found[path + name.decode()] = values(hdf5.H5Aget_type(attribute), hdf5.H5Aget_space(attribute),
                                             lambda kind, buffer: hdf5.H5Aread(attribute, kind, buffer))
        hdf5.H5Aclose(attribute)
    for name in names(hdf5.H5Lget_name_by_idx, item):
        below = Hid(hdf5.H5Oopen(item, name, DEFAULT))
        if hdf5.H5Iget_type(below) == DATASET:
            found[path + name.decode()] = values(hdf5.H5Dget_type(below), hdf5.H5Dget_space(below),
                                                 lambda kind, buffer: hdf5.H5Dread(below, kind, DEFAULT, DEFAULT, DEFAULT, buffer))
        else:
            collect(below, path + name.decode() + "/", found)
        hdf5.H5Oclose(below)


def read(path):
    """{name: array} of all datasets and attributes; numbers are doubles, all else is bytes. Not for two threads at a time."""
    library().H5Eset_auto2(DEFAULT, None, None)  # of this thread: the end of a list is no error
    file = Hid(library().H5Fopen(str(path).encode(), 0, DEFAULT))
    if file.value < 0:
        raise ValueError(f"{path} is no HDF5 file")
    found = {}
    collect(file, "", found)
    library().H5Fclose(file)
    return found

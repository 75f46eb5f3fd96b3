/// \file
/// The standard streams, which may be closed, full or the end of a broken pipe.
#pragma once

#include <string>

namespace galerna {

/// Puts /dev/null where a standard stream is closed. Otherwise the next file that is opened gets its number, and with
/// it what is printed.
void open_standard_streams();

/// Prints to standard error. Text that cannot be printed is left out: nothing else depends on it.
void print_error(const std::string& text);

/// Ends what goes to standard output. \throws SystemError where some of it could not be written
void finish_standard_output();

/// From now on, what is printed to standard output is lost.
void drop_standard_output();

}  // namespace galerna

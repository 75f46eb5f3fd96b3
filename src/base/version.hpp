/// \file
/// Which galerna this is.
#pragma once

#include <string>

namespace galerna {

std::string version();         ///< "0.1.0"
std::string commit();          ///< "09ead87", with "-dirty" where files differed from it; "" if unknown at build time
std::string version_commit();  ///< "0.1.0 (09ead87)", or the version alone
std::string build();           ///< compiler and build type, for reports and checkpoints

}  // namespace galerna

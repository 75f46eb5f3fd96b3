/// \file
/// Fontconfig, which Cairo asks for fonts, keeps its caches until the process ends; the leak sanitizer would report
/// them.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig\n";
}

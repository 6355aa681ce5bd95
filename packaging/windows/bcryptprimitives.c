/* A stand-in for the library of Windows, which Wine 8 lacks. `.ci/release-check` puts it beside the program; it is not shipped. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG size);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T size) {
  return SystemFunction036(buffer, (ULONG)size);
}

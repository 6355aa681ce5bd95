/* Starts `walkable.exe`, which is beside this program, with the same arguments and without a console window. `walkable.exe`
   contains the editor and the commands; as a program for consoles, it would open one where it is started from the desktop. */
#include <windows.h>
#include <wchar.h>

#define ROOM 32768

static wchar_t program[ROOM], command[ROOM];

/* Returns the arguments, without the name of this program. */
static const wchar_t *arguments(void) {
  const wchar_t *rest = GetCommandLineW();
  int is_quoted = 0;
  for (; *rest && (is_quoted || (*rest != L' ' && *rest != L'\t')); rest++)
    if (*rest == L'"') is_quoted = !is_quoted;
  return rest;
}

static int fail(const wchar_t *why) {
  MessageBoxW(NULL, why, L"Walkable", MB_ICONERROR);
  return 1;
}

int WINAPI WinMain(HINSTANCE instance, HINSTANCE before, LPSTR line, int show) {
  (void)instance, (void)before, (void)line, (void)show;
  DWORD length = GetModuleFileNameW(NULL, program, ROOM);
  wchar_t *name = length > 0 && length < ROOM ? wcsrchr(program, L'\\') : NULL;
  if (!name || name + 1 + wcslen(L"walkable.exe") >= program + ROOM)
    return fail(L"The folder of this program is unknown.");
  wcscpy(name + 1, L"walkable.exe");
  const wchar_t *rest = arguments();
  if (wcslen(program) + wcslen(rest) + 3 > ROOM) return fail(L"The arguments are too long.");
  wcscpy(command, L"\"");
  wcscat(command, program);
  wcscat(command, L"\"");
  wcscat(command, rest);
  STARTUPINFOW start = {.cb = sizeof start};
  PROCESS_INFORMATION process;
  if (!CreateProcessW(program, command, NULL, NULL, FALSE, CREATE_NO_WINDOW, NULL, NULL, &start, &process))
    return fail(L"walkable.exe, which must be beside this program, cannot be started.");
  CloseHandle(process.hThread);
  CloseHandle(process.hProcess);
  return 0;
}

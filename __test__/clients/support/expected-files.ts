/** What `programs/files.mjs` prints. */
export interface FilesAnswer {
  /** Per call `status: result` of each path. */
  steps: Record<string, unknown>
  /** What the switch hook was given. */
  switches: string[]
  /** Paths that a walk gave, and whether each is a directory. */
  walked: [path: string, directory: boolean][]
  /** What is left of the first workspace. */
  left: string[]
  currentPath: string
}

/** The same on the published packages, and by contract on this one. */
export const expectedFiles: FilesAnswer = {
  steps: {
    write: ['success: Written: <root>/home/notes/one.txt'],
    read: [
      'success: --- <root>/home/notes/one.txt (lines 1-3 of 3, 16 chars) ---\nalpha\nbeta\ngamma',
      "error: File not found: ENOENT: no such file or directory, stat '<root>/home/absent.txt'"
    ],
    replaceLines: ['success: Replaced lines 2-2 in <root>/home/notes/one.txt'],
    insert: ['success: Inserted content at line 1 in <root>/home/notes/one.txt'],
    replaceContent: ['success: Replaced 1 occurrence in <root>/home/notes/one.txt'],
    unread: ['error: File must be read before writing: <root>/home/unread.txt'],
    range: ['success: --- <root>/home/notes/one.txt (lines 2-3 of 4, 22 chars) ---\nalpha\nBETA'],
    createFolder: ['success: Created directory: <root>/home/drawer/inner/'],
    list: [
      'success: <root>/home/drawer/\n<root>/home/drawer/inner/\n<root>/home/notes/\n<root>/home/notes/one.txt\n<root>/home/unread.txt'
    ],
    searchContent: ['success: <root>/home/notes/one.txt:4: delta'],
    searchName: ['success: <root>/home/notes/one.txt'],
    searchNothing: ['success: No matching entries found'],
    move: ['success: Moved: <root>/home/notes/one.txt -> <root>/home/drawer/two.txt'],
    info: [['success: Path: <root>/home/drawer/two.txt', 'Type: file', 'Size: 22 bytes']],
    outside: [
      'error: Invalid or inaccessible path (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)'
    ],
    outsideSearch: [
      'error: Invalid or inaccessible path (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)'
    ],
    access: [
      'success: Configured file system access:\n  <root>/home  write  (current workspace)\n  <root>/library  read\nmax chars per file: 100000'
    ],
    switch: ['success: Switched workspace to: <root>/library'],
    readThere: ['success: --- <root>/library/book.txt (lines 1-1 of 1, 6 chars) ---\na book'],
    writeThere: ['error: Invalid or inaccessible path (must be within writable directory)'],
    switchOutside: ['error: Path is not within any configured directory: /etc'],
    switchBack: ['success: Switched workspace to: <root>/home'],
    deleteFull: [
      "error: Directory not empty: '<root>/home/drawer'. Use recursive=true to delete directories and their contents."
    ],
    content: 'first\nalpha\nBETA\ndelta',
    delete: ['success: Deleted directory: <root>/home/drawer']
  },
  switches: ['<root>/library', '<root>/home'],
  walked: [['<root>/home/notes', true], ['<root>/home/unread.txt', false]],
  left: ['notes', 'unread.txt'],
  currentPath: '<root>/home'
}

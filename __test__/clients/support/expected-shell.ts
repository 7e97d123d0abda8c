/** What `programs/shell.mjs` prints. */
export interface ShellAnswer {
  /** Per call `status: result`. */
  steps: Record<string, unknown>
  /** Workspace roots that the sessions are bound to. */
  roots: string[]
  /** Whether the shell package's Workspace and switch tool are those that the program imported. */
  sameClass: boolean
}

/** The same on the published packages, and by contract on this one. */
export const expectedShell: ShellAnswer = {
  steps: {
    permissions: [
      'success: Workspace: <root>/home\nDefault: deny\nRules:\n1. pwd → allow\n2. cd * → allow\n3. echo * → allow\n4. cat * → allow\n5. touch * → allow (write)'
    ],
    pwd: ['success: <root>/home'],
    cd: ['success: <root>/home/inner'],
    echo: ['success: (no output)'],
    cat: ['success: made by the shell'],
    denied: ['error: Permission denied for: rm -rf inner'],
    touch: ['success: (no output)'],
    touched: true,
    relativeCwd: ['success: <root>/home/inner'],
    outsideCwd: ['error: Error: cwd must be within the configured working directory (<root>/home)'],
    switch: ['success: Switched workspace to: <root>/library'],
    read: ['success: a book'],
    readOnly: ['error: Permission denied for: touch new.txt (requires write access to <root>/library)'],
    rebind: ['success: <root>/library'],
    job: ['command: echo from the background', 'status: completed', 'from the background']
  },
  roots: ['<root>/home', '<root>/library', '<root>/library'],
  sameClass: true
}

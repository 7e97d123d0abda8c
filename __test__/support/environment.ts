import { afterEach, beforeEach } from 'vitest';

/** Unsets every variable of this package before each test of the file, and puts the old values back afterwards. */
export function cleanEnvironment(): void {
  const saved = new Map<string, string>();
  const clear = (): void => {
    for (const name of Object.keys(process.env).filter((each) => each.startsWith('LLM_CHAT_'))) {
      // Setting a variable to undefined would store the text 'undefined'.
      Reflect.deleteProperty(process.env, name);
    }
  };
  beforeEach(() => {
    for (const [name, value] of Object.entries(process.env)) {
      if (name.startsWith('LLM_CHAT_') && value !== undefined) saved.set(name, value);
    }
    clear();
  });
  afterEach(() => {
    clear();
    for (const [name, value] of saved) process.env[name] = value;
    saved.clear();
  });
}

import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileConfiguration, FilePool, InsertFileContentTool, ReadFileTool, ReadTool, WriteFileTool } from '../index.js';
import { link, temporaryDirectory, temporaryTree } from './support/tree.js';
import { failure, success, toolsOn, workspaceOn } from './support/tools.js';

const guarded = (): FilePool => new FilePool(new FileConfiguration(undefined, undefined, true));

/** A pool, and a file with known bytes. */
function withFile(): { pool: FilePool; file: string } {
  return { pool: guarded(), file: path.join(temporaryTree({ 'a.txt': 'one\n' }), 'a.txt') };
}

const unread = (file: string): object => ({ result: `File must be read before writing: ${file}`, status: 'error' });
const changed = (file: string): object => ({ result: `File has changed since last read: ${file}`, status: 'error' });

describe('verifyWrite', () => {
  it('refuses an existing file that was not read', async () => {
    const { pool, file } = withFile();
    expect(await pool.verifyWrite(file)).toEqual(unread(file));
    expect(await pool.verifyWrite(file, true)).toEqual(unread(file));
  });

  it('allows a file that was read', async () => {
    const { pool, file } = withFile();
    await pool.recordRead(file);
    expect(await pool.verifyWrite(file)).toBeNull();
    expect(await pool.verifyWrite(file)).toBeNull();
  });

  it('refuses a file whose time alone has moved ahead', async () => {
    const { pool, file } = withFile();
    await pool.recordRead(file);
    const ahead = Date.now() / 1000 + 1;
    fs.utimesSync(file, ahead, ahead);
    expect(await pool.verifyWrite(file)).toEqual(changed(file));
  });

  it('allows what has been deleted since it was read', async () => {
    const { pool, file } = withFile();
    await pool.recordRead(file);
    fs.rmSync(file);
    expect(await pool.verifyWrite(file)).toBeNull();
  });

  it('allows what has been deleted since it was read and written', async () => {
    const { pool, file } = withFile();
    await pool.recordRead(file);
    await pool.recordWrite(file);
    fs.rmSync(file);
    expect(await pool.verifyWrite(file, true)).toBeNull();
  });

  it('allows a new file only when asked to', async () => {
    const pool = guarded();
    const file = path.join(temporaryDirectory(), 'new.txt');
    expect(await pool.verifyWrite(file, true)).toBeNull();
    expect(await pool.verifyWrite(file)).toEqual(unread(file));
  });

  it('takes a recorded write for a read', async () => {
    const { pool, file } = withFile();
    await pool.recordRead(file);
    await pool.recordWrite(file);
    expect(await pool.verifyWrite(file)).toBeNull();
    const other = guarded();
    await other.recordWrite(file);
    expect(await other.verifyWrite(file)).toBeNull();
  });

  it('knows nothing of another pool', async () => {
    const { pool, file } = withFile();
    await pool.recordRead(file);
    expect(await guarded().verifyWrite(file)).toEqual(unread(file));
  });
});

describe('requireReadBeforeWrite', () => {
  it('off: nothing is recorded and everything is allowed', async () => {
    const { file } = withFile();
    const configuration = new FileConfiguration(undefined, undefined, false);
    const pool = new FilePool(configuration);
    expect(await pool.verifyWrite(file)).toBeNull();
    expect(await pool.recordRead(file)).toBeUndefined();
    expect(await pool.recordWrite(path.join(file, 'nowhere'))).toBeUndefined();
    configuration.requireReadBeforeWrite = true;
    expect(await pool.verifyWrite(file)).toEqual(unread(file));
  });

  it('is read at each call', async () => {
    const { file } = withFile();
    const configuration = new FileConfiguration(undefined, undefined, true);
    const pool = new FilePool(configuration);
    expect(await pool.verifyWrite(file)).toEqual(unread(file));
    configuration.requireReadBeforeWrite = false;
    expect(await pool.verifyWrite(file)).toBeNull();
  });
});

describe('change detection', () => {
  it('faults C2: sees a change in the same millisecond', async () => {
    const { pool, file } = withFile();
    await pool.recordRead(file);
    fs.writeFileSync(file, 'two, and longer\n');
    expect(await pool.verifyWrite(file)).toEqual(changed(file));
  });

  it('faults C3: sees a change of the same size that puts the time back', async () => {
    const { pool, file } = withFile();
    const { atime, mtime } = fs.statSync(file);
    await pool.recordRead(file);
    fs.writeFileSync(file, 'two\n');
    fs.utimesSync(file, atime, mtime);
    expect(await pool.verifyWrite(file)).toEqual(changed(file));
  });

  it('faults C3: sees a file replaced by an older one', async () => {
    const { pool, file } = withFile();
    await pool.recordRead(file);
    fs.writeFileSync(`${file}.old`, 'two\n');
    fs.utimesSync(`${file}.old`, 1_000_000_000, 1_000_000_000);
    fs.renameSync(`${file}.old`, file);
    expect(await pool.verifyWrite(file)).toEqual(changed(file));
  });

  it('faults C6: a time in the future hinders nobody who has read the file', async () => {
    const { pool, file } = withFile();
    fs.utimesSync(file, 4_102_444_800, 4_102_444_800);
    await pool.recordRead(file);
    expect(await pool.verifyWrite(file)).toBeNull();
  });

  it('faults C10: a read through a link counts for the real name, and the other way round', async () => {
    const dir = temporaryTree({ 'a.txt': 'one\n', link: link('a.txt'), here: link('.') });
    const pool = guarded();
    await pool.recordRead(path.join(dir, 'link'));
    expect(await pool.verifyWrite(path.join(dir, 'a.txt'))).toBeNull();
    expect(await pool.verifyWrite(path.join(dir, 'here/a.txt'))).toBeNull();
    fs.appendFileSync(path.join(dir, 'a.txt'), 'more\n');
    expect(await pool.verifyWrite(path.join(dir, 'link'))).toMatchObject({ status: 'error' });
  });
});

describe('the pool that tools share', () => {
  it('lets read, write, write and edit follow one another', async () => {
    const dir = temporaryTree({ 'a.txt': 'one\ntwo' });
    const tool = toolsOn(workspaceOn(dir), { guarded: true });
    const file = path.join(dir, 'a.txt');
    expect(await failure(tool('write_file'), { path: 'a.txt', content: 'x' })).toBe(`File must be read before writing: ${file}`);
    await success(tool('read_file'), { paths: ['a.txt'] });
    await success(tool('write_file'), { path: 'a.txt', content: 'x\ny' });
    await success(tool('write_file'), { path: 'a.txt', content: 'x\nz' });
    await success(tool('replace_file_lines'), { path: 'a.txt', content: 'w', start_line: 1 });
    await success(tool('insert_file_content'), { path: 'a.txt', content: 'v', line: 1 });
    await success(tool('replace_file_content'), { paths: ['a.txt'], old_content: 'z', new_content: 'u' });
    expect(fs.readFileSync(file, 'utf8')).toBe('v\nw\nu');
  });

  it('lets write, delete from outside, and write again follow one another', async () => {
    const dir = temporaryDirectory();
    const tool = toolsOn(workspaceOn(dir), { guarded: true });
    await success(tool('write_file'), { path: 'a.txt', content: 'x' });
    fs.rmSync(path.join(dir, 'a.txt'));
    await success(tool('write_file'), { path: 'a.txt', content: 'y' });
  });

  it('a read that failed unlocks nothing', async () => {
    const dir = temporaryTree({ 'a.txt': 'one' });
    const tool = toolsOn(workspaceOn(dir), { guarded: true });
    await failure(tool('read_file'), { paths: ['a.txt/x'] });
    await failure(tool('write_file'), { path: 'a.txt', content: 'x' });
  });

  it('faults C7: delete forgets', async () => {
    const dir = temporaryTree({ 'a.txt': 'one' });
    const tool = toolsOn(workspaceOn(dir), { guarded: true });
    await success(tool('read_file'), { paths: ['a.txt'] });
    await success(tool('delete_file'), { paths: ['a.txt'] });
    fs.writeFileSync(path.join(dir, 'a.txt'), 'by someone else');
    fs.utimesSync(path.join(dir, 'a.txt'), 1_000_000_000, 1_000_000_000);
    expect(await failure(tool('write_file'), { path: 'a.txt', content: 'x' })).toBe(`File must be read before writing: ${path.join(dir, 'a.txt')}`);
  });

  it('faults C11: move carries knowledge along', async () => {
    const dir = temporaryTree({ 'a.txt': 'one', 'b.txt': 'two' });
    const tool = toolsOn(workspaceOn(dir), { guarded: true });
    await success(tool('read_file'), { paths: ['a.txt'] });
    await success(tool('move_file'), { source: 'a.txt', destination: 'c.txt' });
    await success(tool('write_file'), { path: 'c.txt', content: 'x' });
    await success(tool('move_file'), { source: 'b.txt', destination: 'a.txt' });
    expect(await failure(tool('write_file'), { path: 'a.txt', content: 'x' })).toContain('must be read');
  });

  it('faults C11: moving a directory carries its files’ knowledge along', async () => {
    const dir = temporaryTree({ d: { 'a.txt': 'one' } });
    const tool = toolsOn(workspaceOn(dir), { guarded: true });
    await success(tool('read_file'), { paths: ['d/a.txt'] });
    await success(tool('move_file'), { source: 'd', destination: 'e' });
    await success(tool('write_file'), { path: 'e/a.txt', content: 'x' });
  });

  it('faults C5: the read is stamped by what was read, so a change right after it is seen', async () => {
    const dir = temporaryTree({ 'a.txt': 'one\n' });
    const tool = toolsOn(workspaceOn(dir), { guarded: true });
    await success(tool('read_file'), { paths: ['a.txt'] });
    fs.writeFileSync(path.join(dir, 'a.txt'), 'two\n');
    expect(await failure(tool('insert_file_content'), { path: 'a.txt', content: 'x' })).toBe(`File has changed since last read: ${path.join(dir, 'a.txt')}`);
  });
});

describe('a pool of the host’s own', () => {
  it('faults names: is told the name of a file that answers show in quotes', async () => {
    const told: string[] = [];
    class Listening extends FilePool {
      override async recordRead(at: string): Promise<void> {
        told.push(at);
        await super.recordRead(at);
      }

      override async recordWrite(at: string): Promise<void> {
        told.push(at);
        await super.recordWrite(at);
      }
    }
    const dir = temporaryTree({ 'a\nb': 'one' });
    const name = path.join(dir, 'a\nb');
    const workspace = workspaceOn(dir);
    const pool = new Listening(new FileConfiguration(undefined, undefined, true));
    for (const tool of [new ReadFileTool(workspace, undefined, pool), new ReadTool(workspace, pool)]) {
      expect((await tool.execute({ path: 'a\nb', paths: ['a\nb'] }))[0]?.status).toBe('success');
    }
    await workspace.readText('a\nb', { pool });
    await success(new WriteFileTool(workspace, undefined, pool), { path: 'a\nb', content: 'two' });
    await success(new InsertFileContentTool(workspace, undefined, pool), { path: 'a\nb', content: 'three' });
    expect(told).toEqual([name, name, name, name, name]);
  });

  it('faults names: is asked about the file that is written, however it was named', async () => {
    class Mine extends FilePool {
      override async verifyWrite(at: string, allowNew?: boolean): ReturnType<FilePool['verifyWrite']> {
        return super.verifyWrite(at, allowNew);
      }
    }
    const dir = temporaryTree({ 'a\nb': 'one', 'plain.txt': 'one' });
    const workspace = workspaceOn(dir);
    const pool = new Mine(new FileConfiguration(undefined, undefined, true));
    for (const [typed, name] of [['"a\\nb"', 'a\nb'], [' plain.txt ', 'plain.txt'], ['"plain.txt"', 'plain.txt']] as const) {
      expect(await failure(new WriteFileTool(workspace, undefined, pool), { path: typed, content: 'two' })).toContain('must be read before writing');
      expect(await failure(new InsertFileContentTool(workspace, undefined, pool), { path: typed, content: 'two' })).toContain('must be read before writing');
      await expect(workspace.writeText(typed, 'two', { pool })).rejects.toMatchObject({ code: 'ERR_NOT_READ' });
      await expect(workspace.edit(typed, { kind: 'insert', content: 'two' }, { pool })).rejects.toMatchObject({ code: 'ERR_NOT_READ' });
      expect(fs.readFileSync(path.join(dir, name), 'utf8')).toBe('one');
    }
    await workspace.readText('"a\\nb"', { pool });
    await success(new WriteFileTool(workspace, undefined, pool), { path: '"a\\nb"', content: 'two' });
    await success(new InsertFileContentTool(workspace, undefined, pool), { path: ' "a\\nb"', content: 'three' });
    expect(fs.readFileSync(path.join(dir, 'a\nb'), 'utf8')).toBe('two\nthree');
    await success(new WriteFileTool(workspace, undefined, pool), { path: ' new.txt ', content: 'new' });
    expect(fs.readdirSync(dir)).toEqual(['a\nb', 'new.txt', 'plain.txt']);
  });
});

describe('edits of one file at the same time', () => {
  it.each([['the same spelling', 'a.txt'], ['another spelling', './a.txt'], ['a link', 'link'], ['a linked directory', 'here/a.txt']])(
    'faults C1: all hold, by %s',
    async (_, other) => {
      const dir = temporaryTree({ 'a.txt': Array.from({ length: 20 }, (_each, index) => `line-${String(index)};`).join('\n'), link: link('a.txt'), here: link('.') });
      const tool = toolsOn(workspaceOn(dir));
      const edits = Array.from({ length: 20 }, (_each, index) =>
        success(tool('replace_file_content'), { paths: [index % 2 === 0 ? 'a.txt' : other], old_content: `line-${String(index)};`, new_content: `done-${String(index)};` }),
      );
      await Promise.all(edits);
      const text = fs.readFileSync(path.join(dir, 'a.txt'), 'utf8');
      expect(text.split('\n')).toEqual(Array.from({ length: 20 }, (_each, index) => `done-${String(index)};`));
    },
  );

  it('faults C1: two names of one file in one call change it twice', async () => {
    const dir = temporaryTree({ 'a.txt': 'x x' });
    const tool = toolsOn(workspaceOn(dir));
    const results = await tool('replace_file_content').execute({ paths: ['a.txt', './a.txt'], old_content: 'x', new_content: 'y' });
    expect(results.map(({ status }) => status)).toEqual(['success', 'success']);
    expect(fs.readFileSync(path.join(dir, 'a.txt'), 'utf8')).toBe('y y');
  });
});

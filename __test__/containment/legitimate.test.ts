import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AccessType, DirectoryConfiguration, FilePool, FileToolPackage, Workspace } from '../../index.js';
import { answers, type Answer } from '../support/tools.js';
import { link, read, temporaryTree } from '../support/tree.js';
import { world } from './world.js';

const ok = [{ status: 'success' }];

describe.each([true, false])('what must work with resolveSymlinks %s', (resolveSymlinks) => {
  it('A05: names that begin with dots', async () => {
    const { call, grant } = await world(resolveSymlinks);
    for (const name of ['..foo/a.txt', '.../b', '..', '...'].filter((one) => one !== '..')) {
      if (name !== '...') expect(await call('write_file', { path: name, content: 'x' }), name).toMatchObject(ok);
    }
    expect(await call('read_file', { paths: ['..foo/a.txt'] })).toMatchObject(ok);
    expect(await call('list_directory', { path: '...' })).toMatchObject(ok);
    expect(fs.readdirSync(path.join(grant, '...'))).toEqual(['b']);
  });

  it('A10: the same path by other spellings', async () => {
    const { call, grant } = await world(resolveSymlinks);
    for (const name of ['ok.txt', './ok.txt', 'sub/../ok.txt', './/ok.txt', `${grant}//ok.txt`, `${grant}/./sub/../ok.txt`]) {
      const [{ result, status }] = (await call('read_file', { paths: [name] })) as [Answer];
      expect([status, result.includes('hello inside')], name).toEqual(['success', true]);
    }
    for (const name of ['.', './', '', 'sub/', 'sub//', 'sub/.']) {
      if (name !== '') expect(await call('list_directory', { path: name }), name).toMatchObject(ok);
    }
  });

  it('A07: names that differ in blanks are files of their own', async () => {
    const { call, grant } = await world(resolveSymlinks);
    const names = ['sp.txt', 'sp.txt ', ' sp.txt', 'sp.txt\u00a0', '\ufeffsp.txt', 'sp.txt\t'];
    for (const name of names) fs.writeFileSync(path.join(grant, name), JSON.stringify(name));
    for (const name of names) {
      const [{ result }] = (await call('read_file', { paths: [name] })) as [Answer];
      expect(result).toContain(JSON.stringify(name));
    }
  });

  it('B06: links within a grant, and a write goes through them', async () => {
    const { call, grant } = await world(resolveSymlinks);
    for (const name of ['inside', 'inside-absolute']) {
      expect(await call('read_file', { paths: [name] }), name).toMatchObject(ok);
      expect(await call('write_file', { path: name, content: `by ${name}` }), name).toMatchObject(ok);
      expect(read(grant, 'ok.txt')).toBe(`by ${name}`);
      expect(fs.lstatSync(path.join(grant, name)).isSymbolicLink()).toBe(true);
    }
    expect(await call('write_file', { path: 'inside-dir/new.txt', content: 'x' })).toMatchObject(ok);
    expect(await call('write_file', { path: 'inside-new', content: 'made' })).toMatchObject(ok);
    expect(read(grant, 'sub/made.txt')).toBe('made');
    expect(await call('create_folder', { paths: ['inside-dir/a/b'] })).toMatchObject(ok);
    expect(await call('search_entries', { path: 'inside-dir', content_pattern: 'made' })).toMatchObject(ok);
  });

  it('B10: a grant that is a link, by both spellings', async () => {
    const base = temporaryTree({ real: { 'a.txt': 'a' }, alias: link('real') });
    const alias = path.join(base, 'alias');
    const workspace = new Workspace(new DirectoryConfiguration([{ type: AccessType.Write, path: alias }], [], resolveSymlinks));
    const tools = new FileToolPackage(workspace).tools();
    const call = (name: string, args: Record<string, unknown>): Promise<Answer[]> => answers(tools.find((tool) => tool.name === name)!, args);
    for (const dir of resolveSymlinks ? [alias, path.join(base, 'real')] : [alias]) {
      expect(await call('read_file', { paths: [path.join(dir, 'a.txt')] }), dir).toMatchObject(ok);
      expect(await call('write_file', { path: path.join(dir, 'new.txt'), content: dir }), dir).toMatchObject(ok);
      expect(await call('delete_file', { paths: [path.join(dir, 'new.txt')] }), dir).toMatchObject(ok);
    }
  });

  it('D04: a file from the future can be edited once it was read', async () => {
    const { workspace, grant } = await world(resolveSymlinks);
    fs.utimesSync(path.join(grant, 'ok.txt'), new Date('2199-01-01'), new Date('2199-01-01'));
    const pool = new FilePool();
    await workspace.readText('ok.txt', { pool });
    await workspace.edit('ok.txt', { kind: 'insert', content: 'x' }, { pool });
    expect(read(grant, 'ok.txt')).toBe('hello inside\nx');
  });

  it('F01 F04: names that could mislead are shown in quotes, one a line, and can be passed back', async () => {
    const { call, grant } = await world(resolveSymlinks);
    const names = ['new\nline', 'esc\u001b[31mred', 'right\u202eleft', '"quoted"', 'zero\u200bwidth', 'tab\there'];
    for (const name of names) fs.writeFileSync(path.join(grant, 'sub', name), JSON.stringify(name));
    fs.writeFileSync(Buffer.concat([Buffer.from(`${grant}/sub/`), Buffer.from([0x66, 0xff, 0x67])]), 'not UTF-8');
    const [{ result }] = (await call('list_directory', { path: 'sub' })) as [Answer];
    const shown = result.split('\n').filter((line) => line.includes('/sub/"') || line.startsWith('"'));
    expect(shown).toHaveLength(names.length + 1);
    for (const line of shown) {
      // eslint-disable-next-line no-control-regex
      expect(line).not.toMatch(/[\u0000-\u001f\u200b\u202e]/);
      expect(await call('read_file', { paths: [line.trim()] }), line).toMatchObject(ok);
      expect(await call('delete_file', { paths: [line.trim()] }), line).toMatchObject(ok);
    }
    expect(fs.readdirSync(path.join(grant, 'sub'))).toEqual(['in.txt']);
  });

  it('F05: a decoy does not shadow what a quoted name means', async () => {
    const { call, grant } = await world(resolveSymlinks);
    fs.writeFileSync(path.join(grant, 'a\nb'), 'meant');
    fs.writeFileSync(path.join(grant, '"a\\nb"'), 'decoy');
    const [{ result }] = (await call('list_directory', { path: '.' })) as [Answer];
    const quoted = result.split('\n').filter((line) => line.includes('a\\nb') || line.includes('a\\\\nb'));
    expect(quoted).toHaveLength(2);
    const contents = await Promise.all(quoted.map(async (line) => (await call('read_file', { paths: [line.trim()] }))[0]!.result));
    expect(contents.filter((content) => content.includes('meant'))).toHaveLength(1);
    expect(contents.filter((content) => content.includes('decoy'))).toHaveLength(1);
  });

  it('B14: a write breaks a hard link to the outside and leaves what is there', async () => {
    const { base, call, grant, outside } = await world(resolveSymlinks);
    fs.linkSync(path.join(base, 'ro/ro.txt'), path.join(grant, 'hard.txt'));
    const before = outside();
    expect(await call('write_file', { path: 'hard.txt', content: 'mine' })).toMatchObject(ok);
    expect(await call('insert_file_content', { path: 'hard.txt', content: 'more' })).toMatchObject(ok);
    expect(outside()).toEqual(before);
    expect(read(grant, 'hard.txt')).toBe('mine\nmore');
  });
});

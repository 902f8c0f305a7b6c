import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { OptionError } from '../../../src/errors/index.js';
import { fixtureServer, record, replay, scriptedTransport } from '../../../src/testing/index.js';
import { loadRecording, recordTo, saveRecording } from '../../../src/testing/node/index.js';
import { memoryConnector } from '../../../src/transport/memory/index.js';
import { connect } from '../../support/client/connect.js';
import { rejection, thrownBy } from '../../support/client/watch.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('a recording in a file', () => {
  it('is replayed as it was saved, and is for this user alone', async () => {
    const file = join(temporaryFolder(), 'session.jsonl');
    const wire = record(memoryConnector(fixtureServer()));
    const first = connect(wire, { era: 'modern' });
    const then = await first.promises.callTool('echo', { message: 'a' });
    await first.close();
    await saveRecording(file, wire.lines);
    expect(await loadRecording(file)).toEqual(wire.lines);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const second = connect(replay(await loadRecording(file)), { era: 'modern' });
    expect(await second.promises.callTool('echo', { message: 'a' })).toEqual(then);
  });

  it('has each line as soon as it is written, in place of what it had', async () => {
    const file = join(temporaryFolder(), 'session.jsonl');
    writeFileSync(file, 'what it had');
    const told: string[] = [];
    const wire = recordTo(file, scriptedTransport({ 'tools/list': { tools: [] } }), {
      onLine: (line) => told.push(line),
    });
    expect(readFileSync(file, 'utf8')).toBe(`${wire.lines[0]}\n`);
    await connect(wire, { era: 'modern' }).promises.listTools();
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual(wire.lines);
    expect(told).toEqual(wire.lines);
  });

  it('of a program that died is loaded up to the line it was writing, and a warning of the process says so', async () => {
    const file = join(temporaryFolder(), 'session.jsonl');
    await connect(recordTo(file, scriptedTransport({ 'tools/call': { content: [] } }))).promises.callTool('x');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `\uFEFF${text.slice(0, -20)}`);
    const warned = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const lines = await loadRecording(file);
    expect(lines).toEqual(text.trimEnd().split('\n').slice(0, -1));
    expect(warned.mock.calls).toEqual([[expect.stringContaining(file), 'RecordingWarning']]);
    warned.mockRestore();
    const reason = await rejection(connect(replay(lines)).promises.callTool('x'));
    expect(String(reason)).toContain('it ends here, before tools/call of "x" was answered');
  });

  it('is refused where it is none, by the name of the file and the line', async () => {
    const file = join(temporaryFolder(), 'other.txt');
    writeFileSync(file, '{"life":1,"at":0,"kind":"end"}\n\nhello\n');
    const reason = await rejection(loadRecording(file));
    expect(reason).toBeInstanceOf(OptionError);
    expect(String(reason)).toContain(file);
    expect(String(reason)).toContain('line 3');
    expect(await rejection(saveRecording(file, ['hello']))).toBeInstanceOf(OptionError);
    expect(await rejection(loadRecording(''))).toBeInstanceOf(OptionError);
  });

  it('that cannot be read or written is refused by its name, with what helps and what the file system raised', async () => {
    const folder = temporaryFolder();
    const [inner, none] = [join(folder, 'folder'), join(folder, 'none', 'a.jsonl')];
    mkdirSync(inner);
    const refused = [
      [await rejection(loadRecording(none)), none, 'ENOENT', 'there is no such file: record one by recordTo'],
      [await rejection(saveRecording(none, [])), none, 'ENOENT', 'its folder is not there: make it first'],
      [thrownBy(() => recordTo(none, scriptedTransport())), none, 'ENOENT', 'its folder is not there'],
      [await rejection(loadRecording(inner)), inner, 'EISDIR', 'it is a folder'],
      [await rejection(saveRecording(inner, [])), inner, 'EISDIR', 'it is a folder'],
      [thrownBy(() => recordTo(inner, scriptedTransport())), inner, 'EISDIR', 'it is a folder'],
    ] as const;
    for (const [reason, file, code, remedy] of refused) {
      expect(reason).toBeInstanceOf(OptionError);
      expect(reason).toMatchObject({ option: 'file', cause: { code } });
      expect(String(reason)).toContain(file);
      expect(String(reason)).toContain(remedy);
    }
  });

  it('that goes away while it is written fails the wire by its name', async () => {
    const folder = join(temporaryFolder(), 'folder');
    mkdirSync(folder);
    const wire = recordTo(join(folder, 'a.jsonl'), scriptedTransport({ 'tools/call': { content: [] } }));
    rmSync(folder, { recursive: true });
    const reason = await rejection(connect(wire).promises.callTool('x'));
    expect(reason).toBeInstanceOf(OptionError);
    expect(String(reason)).toContain('its folder is not there');
  });
});

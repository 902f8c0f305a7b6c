// A server for the example: a stage on which acts come and go. It serves both eras over stdio, and each call of
// `next_scene` adds or removes a tool, until `next_scene` itself is gone.
import { McpServer, type RegisteredTool } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

const stage = (): McpServer => {
  const server = new McpServer({ name: 'stage', version: '1.0.0' });
  const onStage = new Map<string, RegisteredTool>();

  // The package tells clients of each change, in the way of the era that was agreed on.
  const enter = (name: string, act = () => text(`${name}!`)): void => {
    onStage.set(name, server.registerTool(name, { description: `Asks for ${name}` }, act));
  };
  const leave = (name: string): void => {
    onStage.get(name)?.remove();
    onStage.delete(name);
  };

  const scenes = [() => enter('juggle'), () => enter('sing'), () => leave('juggle'), () => leave('next_scene')];
  enter('next_scene', () => {
    scenes.shift()?.();
    return text(`on stage: ${[...onStage.keys()].join(', ')}`);
  });
  return server;
};

serveStdio(stage);

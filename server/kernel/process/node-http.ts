/**
 * The functions of node:http. An import statement reads every export of a module of Node, and those
 * of node:http include the WebSocket of undici, which is loaded then and keeps 10 MB in memory.
 */
export const { Agent, createServer, request } = process.getBuiltinModule('node:http')

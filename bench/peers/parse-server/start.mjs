/** Starts Parse Server on a database: `node start.mjs <port> <database url>`. */
import express from 'express'
import { ParseServer } from 'parse-server'

const [, , port, databaseURI] = process.argv
const server = new ParseServer({
  appId: 'bench',
  masterKey: 'bench-master',
  databaseURI,
  serverURL: `http://127.0.0.1:${port}/parse`,
  silent: true,
  logLevel: 'error',
})
await server.start()
express().use('/parse', server.app).listen(Number(port), '127.0.0.1')

/** The parts of undici that are used, by path: its index also loads fetch, WebSocket and mocks, 5 MB. */
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}

declare module 'undici/lib/dispatcher/proxy-agent.js' {
  export { ProxyAgent as default } from 'undici'
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}

declare module 'undici/lib/core/errors.js' {
  export { errors as default } from 'undici'
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  export { Dispatcher as default } from 'undici'
}

declare module 'undici/lib/api/index.js' {
  const methods: object
  export default methods
}

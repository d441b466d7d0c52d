/** The host and port on which Strapi listens. */
module.exports = ({ env }) => ({
  host: '127.0.0.1',
  port: env.int('PORT'),
  app: { keys: ['bench-1', 'bench-2'] },
  logger: { startup: { enabled: false }, updates: { enabled: false } },
})

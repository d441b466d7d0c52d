/**
 * The routes as Strapi generates them, but without authentication: no key is looked up, which costs
 * Strapi least.
 */
const { createCoreRouter } = require('@strapi/strapi').factories

const open = { auth: false }

module.exports = createCoreRouter('api::document.document', {
  config: { find: open, findOne: open, create: open },
})

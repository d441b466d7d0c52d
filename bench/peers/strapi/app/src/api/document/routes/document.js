/** As it is generated, but open to everybody: no key is looked up, which is what costs it least. */
const { createCoreRouter } = require('@strapi/strapi').factories

const open = { auth: false }

module.exports = createCoreRouter('api::document.document', {
  config: { find: open, findOne: open, create: open },
})

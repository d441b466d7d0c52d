/** The service as Strapi generates it. */
const { createCoreService } = require('@strapi/strapi').factories

module.exports = createCoreService('api::document.document')

/** The controller as Strapi generates it. */
const { createCoreController } = require('@strapi/strapi').factories

module.exports = createCoreController('api::document.document')

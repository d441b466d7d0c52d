/** As it is generated. */
const { createCoreController } = require('@strapi/strapi').factories

module.exports = createCoreController('api::document.document')

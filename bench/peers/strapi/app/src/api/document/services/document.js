/** As it is generated. */
const { createCoreService } = require('@strapi/strapi').factories

module.exports = createCoreService('api::document.document')

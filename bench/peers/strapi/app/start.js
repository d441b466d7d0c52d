/** Starts Strapi as `strapi start` does, without its check for updates. */
const { createStrapi } = require('@strapi/strapi')

createStrapi({ appDir: __dirname, distDir: __dirname }).start()

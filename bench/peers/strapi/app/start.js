/** Starts it as `strapi start` does, without its look-out for updates. */
const { createStrapi } = require('@strapi/strapi')

createStrapi({ appDir: __dirname, distDir: __dirname }).start()

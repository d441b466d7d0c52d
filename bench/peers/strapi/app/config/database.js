/** The database of the benchmark, with the pool of Strapi's own template. */
module.exports = ({ env }) => ({
  connection: {
    client: 'postgres',
    connection: { connectionString: env('DATABASE_URL'), ssl: false },
    pool: { min: 2, max: 10 },
  },
})

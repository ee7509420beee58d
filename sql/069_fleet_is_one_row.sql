-- Without statistics PostgreSQL expects hundreds of rows in the one row of the fleet, and a server with JIT compiles the
-- statement of each heartbeat: more than 100 ms a second of each worker, until the first automatic analyze.
analyze fleet;

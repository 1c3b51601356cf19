/** Tests of the spool on real and on faulty disks. */
@NullMarked
package io.hawser.store.spool;

import org.jspecify.annotations.NullMarked;

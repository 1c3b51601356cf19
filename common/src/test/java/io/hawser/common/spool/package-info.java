/** Tests of the spool on real and on faulty disks. */
@NullMarked
package io.hawser.common.spool;

import org.jspecify.annotations.NullMarked;

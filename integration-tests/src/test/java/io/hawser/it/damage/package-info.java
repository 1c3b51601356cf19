/** What becomes of every kind of file that a node keeps when the disk, or a person, changes it. */
@NullMarked
package io.hawser.it.damage;

import org.jspecify.annotations.NullMarked;

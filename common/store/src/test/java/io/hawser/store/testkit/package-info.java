/** Storage that fails, crashes and lies, for tests of all stores. */
@NullMarked
package io.hawser.store.testkit;

import org.jspecify.annotations.NullMarked;

/** What tests of this and other modules share. */
@NullMarked
package io.hawser.ptcp.testkit;

import org.jspecify.annotations.NullMarked;

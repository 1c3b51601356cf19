/** A grid's certificates, made for a test. */
@NullMarked
package io.hawser.gsi.testkit;

import org.jspecify.annotations.NullMarked;

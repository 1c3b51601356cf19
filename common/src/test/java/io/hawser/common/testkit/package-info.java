/**
 * What tests of the substrate share: sample transfers, named invariants, and the simulator of the whole chain. It is shipped
 * as {@code common}'s test-jar.
 */
@NullMarked
package io.hawser.common.testkit;

import org.jspecify.annotations.NullMarked;

/** What tests of all modules share: sample transfers, named invariants, programs, damage. Published as the test-jar of hawser-core. */
@NullMarked
package io.hawser.core.testkit;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.hawser.ops.dashboard;

import org.jspecify.annotations.NullMarked;

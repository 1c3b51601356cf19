@NullMarked
package io.hawser.ops.audit;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.hawser.common.audit;

import org.jspecify.annotations.NullMarked;

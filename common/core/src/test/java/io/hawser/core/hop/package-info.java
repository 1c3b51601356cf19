/** Tests of the hop protocol on fakes of its ports. */
@NullMarked
package io.hawser.core.hop;

import org.jspecify.annotations.NullMarked;

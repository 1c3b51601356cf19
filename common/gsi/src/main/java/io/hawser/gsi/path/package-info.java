/** Validates certificate chains and determines their owners. Pure: files are read elsewhere. */
@NullMarked
package io.hawser.gsi.path;

import org.jspecify.annotations.NullMarked;

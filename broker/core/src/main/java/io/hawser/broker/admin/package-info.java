/** What an operator sees of the broker over HTTP. */
@NullMarked
package io.hawser.broker.admin;

import org.jspecify.annotations.NullMarked;

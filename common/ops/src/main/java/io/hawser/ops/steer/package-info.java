/** What an operator may ask of transfers at a node that knows them: cancel, retry, hold, release, another priority. One or many at a time. */
@NullMarked
package io.hawser.ops.steer;

import org.jspecify.annotations.NullMarked;

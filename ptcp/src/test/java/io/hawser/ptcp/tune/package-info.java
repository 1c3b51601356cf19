/** The controllers in simulation, against models of links. */
@org.jspecify.annotations.NullMarked
package io.hawser.ptcp.tune;

/**
 * What every node needs of Apache Kafka: a topic that gets the node's events ({@link io.hawser.kafka.EventTopic}), the file with properties
 * of Kafka's clients, and a look at whether a Kafka answers. The module is apart from {@code hawser-ops}, so that the Java API and other
 * programs do not bring Kafka's client. Nothing of that client is loaded by a node that has no such topic.
 */
@NullMarked
package io.hawser.kafka;

import org.jspecify.annotations.NullMarked;

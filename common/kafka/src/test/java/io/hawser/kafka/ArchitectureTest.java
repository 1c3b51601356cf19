package io.hawser.kafka;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of this module: what may know what. */
@AnalyzeClasses(packages = "io.hawser.kafka", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule KNOWS_NO_NODE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.hawser.agenta..", "io.hawser.agentb..", "io.hawser.broker..", "io.hawser.ptcp..", "io.netty..");

    @ArchTest
    static final ArchRule WHAT_STORES_SHARE_LOADS_NO_KAFKA = noClasses()
            .that()
            .haveSimpleName("KafkaNodeProbe")
            .or()
            .haveSimpleName("KafkaPropertiesFile")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka..");
}

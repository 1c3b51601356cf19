package io.hawser.broker.kafka;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of this module: what may know what. */
@AnalyzeClasses(packages = "io.hawser.broker.kafka", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule KNOWS_NO_AGENT_AND_NO_SESSION = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.hawser.agenta..",
                    "io.hawser.agentb..",
                    "io.hawser.it..",
                    "io.hawser.ptcp..",
                    "io.hawser.broker.session..",
                    "io.hawser.broker.admin..",
                    "io.netty.channel..");

    @ArchTest
    static final ArchRule KNOWS_NO_SQL_AND_NO_FILES = noClasses()
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                    "java\\.sql\\..*|org\\.h2\\..*|java\\.io\\.(File|RandomAccessFile).*|java\\.nio\\.file\\.Files|java\\.nio\\.channels\\..*");

    @ArchTest
    static final ArchRule FORMATS_KNOW_NO_KAFKA = noClasses()
            .that()
            .haveSimpleNameContaining("KafkaJournalRecord")
            .or()
            .haveSimpleName("PayloadPart")
            .or()
            .haveSimpleName("TopicSettings")
            .or()
            .haveSimpleName("KafkaStoreKind")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka..");
}

package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize.Minimum;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many pods of a PodGroup have to run at least. */
class GroupParserTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          scheduling.k8s.io/v1beta1    | {schedulingPolicy: {gang: {minCount: 4}}}           | 4
          scheduling.k8s.io/v1beta1    | {schedulingPolicy: {basic: {}}}                     | 0
          scheduling.x-k8s.io/v1alpha1 | {minMember: 3}                                      | 3
          scheduling.volcano.sh/v1beta1 | {}                                                 | 0
          scheduling.run.ai/v2alpha2   | {subGroups: [{minMember: 1}, {minMember: 2}]}       | 3
          """)
  void isWhatThePodGroupSays(String apiVersion, String spec, int pods) {
    assertThat(minimum(apiVersion, spec)).isEqualTo(new Minimum.Known(pods));
  }

  @ParameterizedTest
  @CsvSource({"5m0s, 300", "90s, 90", "soon, 0"})
  void readsTheDelayOfKai(String delay, int seconds) {
    assertThat(
            minimum("scheduling.run.ai/v2alpha2", "{minMember: 2, preemptionDelay: " + delay + "}"))
        .isEqualTo(new Minimum.Known(2, Duration.ofSeconds(seconds)));
  }

  @Test
  void isUnknown_forAPolicyThatIsNotKnown() {
    assertThat(minimum("scheduling.k8s.io/v1beta1", "{schedulingPolicy: {quorum: {count: 4}}}"))
        .isEqualTo(
            new Minimum.Unread(
                "its PodGroup has a scheduling policy that is not known:"
                    + " {\"quorum\":{\"count\":4}}"));
  }

  private static Minimum minimum(String apiVersion, String spec) {
    return GroupParser.minimum(
        Yaml.read(
            "{apiVersion: " + apiVersion + ", kind: PodGroup, metadata: {}, spec: " + spec + "}",
            GenericKubernetesResource.class));
  }
}

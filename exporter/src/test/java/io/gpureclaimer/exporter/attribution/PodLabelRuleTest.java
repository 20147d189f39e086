package io.gpureclaimer.exporter.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.gpureclaimer.common.vocabulary.OwnLabels;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.ServedPodLabels;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodLabelRuleTest {
  private static final PodLabelRule ALL = new PodLabelRule(List.of(), 20);

  @ParameterizedTest
  @CsvSource({
    "team, team",
    "app.kubernetes.io/name, app_kubernetes_io_name",
    "ünïcode, _n_code",
    "namespace, pod_label_namespace",
    "gpu, pod_label_gpu",
    "UUID, pod_label_UUID",
    "hostname, pod_label_hostname",
    "DCGM_FI_DRIVER_VERSION, pod_label_DCGM_FI_DRIVER_VERSION",
    "dra-claim-name, pod_label_dra_claim_name",
    "xid, pod_label_xid",
    "job, pod_label_job",
    "instance, pod_label_instance",
    "1st, pod_label_1st",
    "__name__, pod_label___name__"
  })
  void aNameIsMadeOfTheKey(String key, String name) {
    assertThat(ALL.of(Map.of(key, "v"))).isEqualTo(served(new Label(name, "v")));
  }

  @Test
  void onlyAllowedKeysAreServed_asTheyAreInKubernetes() {
    var rule =
        new PodLabelRule(List.of(Pattern.compile("^team$"), Pattern.compile("k8s\\.io/")), 20);

    assertThat(
            rule.of(Map.of("team", "nlp", "teams", "x", "k8s.io/app", "train", "k8s_io_app", "x")))
        .isEqualTo(served(new Label("k8s_io_app", "train"), new Label("team", "nlp")));
  }

  /** What Java refuses or takes for something else: a union of characters, ungreedy, literals. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "^[[:alpha:]]+$",
        "^(?P<the_name>team)\\z",
        "^(?U)te+am$",
        "^tea[[:lower:]&&]$",
        "^\\pL{4}$",
        "(?i)^TEAM$"
      })
  void patternsAreThoseOfGo(String pattern) {
    var rule = new PodLabelRule(List.of(Pattern.compile(pattern)), 20);

    assertThat(rule.of(Map.of("team", "nlp", "t2", "x", ":", "x")))
        .isEqualTo(served(new Label("team", "nlp")));
  }

  @Test
  void theFirstKeyHasTheName_whenTwoComeToTheSame() {
    assertThat(ALL.of(Map.of("a-b", "1", "a.b", "2", "a_b", "3")))
        .isEqualTo(new ServedPodLabels(List.of(new Label("a_b", "1")), 2));
  }

  @Test
  void whatIsBeyondTheLimitIsCounted() {
    assertThat(new PodLabelRule(List.of(), 2).of(Map.of("c", "3", "a", "1", "d", "4", "b", "2")))
        .isEqualTo(new ServedPodLabels(List.of(new Label("a", "1"), new Label("b", "2")), 2));
  }

  @Test
  void aLabelWithoutAValueIsNone() {
    assertThat(ALL.of(Map.of("a", ""))).isEqualTo(ServedPodLabels.NONE);
  }

  @Property
  @Tag("fuzz")
  void namesAreValid_nobodysElse_andStandOnce(
      @ForAll @Size(max = 8) Map<String, String> labels, @ForAll @IntRange(max = 5) int limit) {
    var served = new PodLabelRule(List.of(), limit).of(labels).served();

    assertThat(served).hasSizeLessThanOrEqualTo(limit);
    assertThat(served).extracting(Label::name).isSorted().doesNotHaveDuplicates();
    assertThat(served)
        .allSatisfy(
            label -> {
              assertThat(label.name()).matches("[a-zA-Z_][a-zA-Z0-9_]*");
              assertThat(label.name()).doesNotStartWith("__");
              assertThat(OwnLabels.contain(label.name())).isFalse();
              assertThat(labels).containsValue(label.value());
            });
  }

  private static ServedPodLabels served(Label... labels) {
    return new ServedPodLabels(List.of(labels), 0);
  }
}

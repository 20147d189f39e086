package io.gpureclaimer.reclaimer.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.Variable;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotatedKind;
import io.gpureclaimer.reclaimer.policy.PolicyKeys.PolicyKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The admission policy that we ship knows the same keys and the same rules as the judge. */
class AdmissionPolicyTest {
  private static final Path FILE = Path.of("../deploy/manifests/reclaimer-admission.yaml");
  private static final Pattern KEY = Pattern.compile("'(gpu-reclaimer\\.io/[a-z-]+)'");

  @Test
  void knowsEveryKeyThatIsKnown_andNoOther() throws IOException {
    var known = new TreeSet<>(PolicyKeys.ALL.stream().map(PolicyKeys.PolicyKey::name).toList());
    known.addAll(PolicyKeys.STATE);

    assertThat(keysIn(Files.readString(FILE))).isEqualTo(known);
  }

  @Test
  void reservesTheKeysOfTheAdministratorAndOurOwn() throws IOException {
    assertThat(keysIn(variable("adminKeys")))
        .isEqualTo(
            PolicyKeys.ALL.stream()
                .filter(
                    key ->
                        key.places().size() == 1 && key.places().contains(AnnotatedKind.NAMESPACE))
                .map(PolicyKey::name)
                .collect(Collectors.toCollection(TreeSet::new)));
    assertThat(keysIn(variable("stateKeys"))).isEqualTo(new TreeSet<>(PolicyKeys.STATE));
  }

  @Test
  void saysWhatTheJudgeSays() throws IOException {
    assertThat(variable("mistakes"))
        .contains(PolicyKeys.ALL.stream().map(PolicyKey::rule).toList());
  }

  @Test
  void isBoundAndDenies() throws IOException {
    ValidatingAdmissionPolicyBinding binding = one(ValidatingAdmissionPolicyBinding.class);

    assertThat(binding.getSpec().getPolicyName())
        .isEqualTo(one(ValidatingAdmissionPolicy.class).getMetadata().getName());
    assertThat(binding.getSpec().getValidationActions()).containsExactly("Deny");
  }

  private static Set<String> keysIn(String text) {
    return KEY.matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String variable(String name) throws IOException {
    return one(ValidatingAdmissionPolicy.class).getSpec().getVariables().stream()
        .filter(variable -> variable.getName().equals(name))
        .map(Variable::getExpression)
        .findFirst()
        .orElseThrow();
  }

  private static <T extends HasMetadata> T one(Class<T> kind) throws IOException {
    Stream<HasMetadata> all =
        Arrays.stream(Files.readString(FILE).split("\n---\n", -1))
            .map(document -> Serialization.unmarshal(document, HasMetadata.class));
    return all.filter(kind::isInstance).map(kind::cast).findFirst().orElseThrow();
  }
}

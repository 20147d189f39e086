package io.gpureclaimer.verification.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads Kubernetes's objects from YAML, and takes no field that their kind does not have. */
final class StrictYaml {
  private static final Pattern BETWEEN_DOCUMENTS = Pattern.compile("(?m)^---.*$");
  private static final KubernetesSerialization KINDS = new KubernetesSerialization();

  private static final ObjectMapper YAML =
      new YAMLMapper(
          YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build());

  private static final ObjectMapper STRICT =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .setAnnotationIntrospector(new UnknownFieldsRejected());

  private StrictYaml() {}

  /** All objects of a text; documents that hold nothing are left out. */
  static List<HasMetadata> objects(String text) {
    return documents(text).map(StrictYaml::object).toList();
  }

  /** The documents of a text that hold something. */
  static Stream<String> documents(String text) {
    return BETWEEN_DOCUMENTS
        .splitAsStream(text)
        .filter(document -> Pattern.compile("(?m)^[^#\\s]").matcher(document).find());
  }

  private static HasMetadata object(String document) {
    try {
      JsonNode tree = YAML.readTree(document);
      HasMetadata lenient = KINDS.unmarshal(tree.toString(), HasMetadata.class);
      if (lenient instanceof GenericKubernetesResource unknown) {
        throw new AssertionError(
            "no kind " + unknown.getKind() + " in " + unknown.getApiVersion() + ":\n" + document);
      }
      return STRICT.treeToValue(tree, lenient.getClass());
    } catch (JsonProcessingException e) {
      throw new AssertionError(e.getOriginalMessage() + " in\n" + document, e);
    }
  }

  /** The models keep what they do not know in a map by the side; here it is a mistake. */
  private static final class UnknownFieldsRejected extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
      return false;
    }
  }
}

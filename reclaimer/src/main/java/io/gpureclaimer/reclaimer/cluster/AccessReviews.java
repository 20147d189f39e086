package io.gpureclaimer.reclaimer.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reviews of the API server: of the identity of people, and of their rights.
 *
 * <p>Every method throws {@link ClusterUnreachable} when the API server does not answer.
 */
public interface AccessReviews {

  /**
   * The person of a bearer token; empty if the API server does not accept it.
   *
   * @param audiences for one of which the token must have been issued; none for the API server's
   */
  Optional<ApiUser> authenticate(String token, List<String> audiences);

  /**
   * Whether a person may do something to an object.
   *
   * @param verb for example {@code get}
   * @param object an empty namespace means all namespaces, an empty name all objects of the kind
   */
  boolean isAllowed(ApiUser person, String verb, ObjectRef object);

  /**
   * A user of the API server.
   *
   * @param uid empty if it is not known
   * @param extra further attributes, which authorizers may read
   */
  record ApiUser(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    public ApiUser {
      groups = List.copyOf(groups);
      extra = Map.copyOf(extra);
      if (name.isEmpty()) {
        throw new IllegalArgumentException("expected the name of a user, was empty");
      }
    }
  }
}

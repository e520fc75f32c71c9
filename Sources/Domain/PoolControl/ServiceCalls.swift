/// The calls that every Varlink service answers about itself.
package enum ServiceCall {
  package struct GetInfo: ControlMethod {
    package static let method = "org.varlink.service.GetInfo"

    package init() {}

    package struct Reply: Codable, Sendable {
      package let vendor: String
      package let product: String
      package let version: String
      package let url: String
      package let interfaces: [String]

      package init(vendor: String, product: String, version: String, url: String, interfaces: [String]) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
        self.interfaces = interfaces
      }
    }
  }

  package struct GetInterfaceDescription: ControlMethod {
    package static let method = "org.varlink.service.GetInterfaceDescription"

    package let interface: String

    package init(interface: String) {
      self.interface = interface
    }

    package struct Reply: Codable, Sendable {
      package let description: String

      package init(description: String) {
        self.description = description
      }
    }
  }
}

extension InterfaceDescription {
  /// `org.varlink.service`, word for word as varlink.org has it.
  package static let service = InterfaceDescription(
    name: "org.varlink.service",
    text: """
      # The Varlink Service Interface is provided by every varlink service. It
      # describes the service and the interfaces it implements.
      interface org.varlink.service

      # Get a list of all the interfaces a service provides and information
      # about the implementation.
      method GetInfo() -> (
        vendor: string,
        product: string,
        version: string,
        url: string,
        interfaces: []string
      )

      # Get the description of an interface that is implemented by this service.
      method GetInterfaceDescription(interface: string) -> (description: string)

      # The requested interface was not found.
      error InterfaceNotFound (interface: string)

      # The requested method was not found
      error MethodNotFound (method: string)

      # The interface defines the requested method, but the service does not
      # implement it.
      error MethodNotImplemented (method: string)

      # One of the passed parameters is invalid.
      error InvalidParameter (parameter: string)
      """)
}
